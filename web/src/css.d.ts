// Style sheets are imported for what they do; esbuild bundles them.
declare module "*.css";
