"""One folder of a user: its files, what is kept beside them, and who else changes them."""

from sistel.studio.workspace._files import Files
from sistel.studio.workspace._folder import OWN, Folder
from sistel.studio.workspace._names import check_name
from sistel.studio.workspace._samples import Sample, Samples, Template

__all__ = ["OWN", "Files", "Folder", "Sample", "Samples", "Template", "check_name"]
