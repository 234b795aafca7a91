"""One folder of a user: its files, what is kept beside them, and who else changes them."""

from sistel.studio.workspace._files import Files
from sistel.studio.workspace._folder import OWN, Folder
from sistel.studio.workspace._names import check_name
from sistel.studio.workspace._pages import Pages, write_page
from sistel.studio.workspace._runs import ARCHIVE, MODEL, Runs
from sistel.studio.workspace._samples import Sample, Samples, Template

__all__ = [
    "ARCHIVE",
    "MODEL",
    "OWN",
    "Files",
    "Folder",
    "Pages",
    "Runs",
    "Sample",
    "Samples",
    "Template",
    "check_name",
    "write_page",
]
