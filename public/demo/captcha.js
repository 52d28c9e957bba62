// Stands for a captcha: says that it was loaded, and does nothing.
window.portolanDemo = [...(window.portolanDemo ?? []), 'captcha'];
