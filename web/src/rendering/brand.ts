/** What of the company's brand stands in the HTML. The publisher writes it into the web build, from `brand.toml`. */
export interface BrandSettings {
  /** The logo as SVG that can stand in HTML; empty for none. */
  logo: string;
  /** Whether the company's name stands beside it, or is in it. */
  nameBeside: boolean;
  /** What is drawn on dark sections. */
  motif: 'chart' | 'dots' | 'none';
}

/** Of a web build without a brand. */
export const NO_BRAND: BrandSettings = { logo: '', nameBeside: true, motif: 'chart' };
