// Stands for what keeps a visitor's settings: says that it was loaded, and does nothing.
window.portolanDemo = [...(window.portolanDemo ?? []), 'settings'];
