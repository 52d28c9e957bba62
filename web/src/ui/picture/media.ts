/** Widths below which the tablet's and the mobile crop of a picture are shown. */
export const TABLET_BELOW = '(width < 1280px)';
export const MOBILE_BELOW = '(width < 768px)';
