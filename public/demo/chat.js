// Stands for a chat window: says that it was loaded, and does nothing.
window.portolanDemo = [...(window.portolanDemo ?? []), 'chat'];
