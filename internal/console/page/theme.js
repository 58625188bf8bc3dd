// The theme is set before anything is painted, which a module would be too late for.
(() => {
  const stored = localStorage.getItem('aside.theme');
  if (stored === 'light' || stored === 'dark') document.documentElement.dataset.theme = stored;
})();
