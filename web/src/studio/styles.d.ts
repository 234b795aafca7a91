// Sheets are gathered by the bundle.
declare module "*.css";
