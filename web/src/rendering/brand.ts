/** The company's brand in the HTML. The publisher writes it into the web build, from `brand.toml`. */
export interface BrandSettings {
  /** The logo as SVG that is valid in HTML; empty for none. */
  logo: string;
  /** Whether the company's name is next to the logo, or in it. */
  nameBeside: boolean;
  /** The motif of dark sections. */
  motif: 'chart' | 'dots' | 'none';
}

/** Of a web build without a brand. */
export const NO_BRAND: BrandSettings = { logo: '', nameBeside: true, motif: 'chart' };
