// HTML files run their scripts, in an origin of their own: whatever lies in the folder, none of it reaches JupyterLab
// or a kernel. JupyterLab's viewer by itself knows only files without scripts and files that may do all that it may.
{
  const apart = (_, viewer) => {
    const { content, context } = viewer;
    content.sandbox = ["allow-scripts"];
    Object.defineProperty(viewer, "trusted", { get: () => true, set: () => {} });
    // Shown when it is read, and again when it has changed: a frame that is sent to two places at once may go nowhere.
    // Without the address of the file, to which #links would lead.
    let shown;
    viewer.onUpdateRequest = () => {
      const text = context.model.toString();
      if (!context.isReady || text === shown) return;
      shown = text;
      content.url = URL.createObjectURL(new Blob([text], { type: "text/html" }));
    };
  };
  const activate = ({ docRegistry }) => {
    const watch = () => docRegistry.getWidgetFactory("HTML Viewer")?.widgetCreated.connect(apart);
    docRegistry.changed.connect(watch);
    watch();
  };
  const plugin = { id: "pages-apart:plugin", autoStart: true, activate };
  (window._JUPYTERLAB ??= {})["pages-apart"] = { init: () => {}, get: async () => () => plugin };
}
