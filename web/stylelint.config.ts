/** Rules that Biome lacks: logical properties, so that right-to-left is free, and raw values only in `tokens/`. */
const physical = [
  '/^(margin|padding|border)-(top|right|bottom|left)(-.+)?$/',
  '/^border-(top|bottom)-(left|right)-radius$/',
  '/^scroll-(margin|padding)-(top|right|bottom|left)$/',
  '/^(top|right|bottom|left)$/',
  '/^(min-|max-)?(width|height)$/',
];

/** Drawings have their own units: a pixel in them is one of their view box. */
const drawn = ['stroke-width', 'r', 'font-size'];

export default {
  rules: {
    'property-disallowed-list': [
      physical,
      {
        message: (property: string) =>
          `Use the logical property for "${property}" (inline, block), so that Arabic needs no rules of its own`,
      },
    ],
    'declaration-property-value-disallowed-list': [
      { '/^(text-align|float|clear|caption-side)$/': ['left', 'right'], '/^resize$/': ['horizontal', 'vertical'] },
      { message: (property: string, value: string) => `Use start or end for "${property}: ${value}"` },
    ],
    'selector-disallowed-list': [
      [/\[dir/, /:dir\(/],
      { message: () => 'No rules by direction: logical properties do it, and icons mirror through ui/icon' },
    ],
  },
  overrides: [
    {
      // One property may look at the direction: the sign that mirrors an icon.
      files: ['src/tokens/space.css'],
      rules: { 'selector-disallowed-list': null },
    },
    {
      files: ['src/{ui,features,blocks,layouts,document}/**/*.css'],
      rules: {
        'unit-disallowed-list': [
          ['px', 'pt', 'cm', 'mm', 'in'],
          {
            ignoreProperties: { px: [...drawn, '/^--/'] },
            ignoreFunctions: ['clamp'],
            message: (unit: string) =>
              `${unit} does not grow with the letters: use rem, or a token of src/tokens/space.css`,
          },
        ],
        'media-feature-name-disallowed-list': [
          ['width', 'height', 'inline-size', 'block-size', '/^(min|max)-/'],
          { message: () => 'Limits have names: src/tokens/media.css' },
        ],
        'color-no-hex': [true, { message: 'Colours stand in src/tokens' }],
        'color-named': ['never', { message: () => 'Colours stand in src/tokens' }],
        'function-disallowed-list': [['rgb', 'rgba', 'hsl', 'hsla', 'oklch', 'lab', 'lch', 'hwb']],
      },
    },
  ],
};
