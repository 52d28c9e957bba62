import { expect, it } from 'vitest';
import { buildPluginTypes } from './plugin-types.ts';

it('writes down what components get; what is the product’s is its contract’s', async () => {
  const types = await buildPluginTypes({
    BranchFields: {
      type: 'object',
      title: 'BranchFields',
      properties: {
        picture: { anyOf: [{ $ref: '#/definitions/Picture' }, { type: 'null' }] },
        days: { type: 'array', items: { enum: ['mon', 'tue'] }, title: 'Days' },
      },
      required: ['picture', 'days'],
      additionalProperties: false,
    },
    Picture: { $contract: 'Picture' },
    PictureVariant: { $contract: 'PictureVariant' },
  });
  expect(types.split('\n').slice(1)).toEqual([
    "import type { Picture } from 'portolan/contract/openapi.d.ts';",
    '',
    'export interface BranchFields {',
    '  picture: Picture | null;',
    "  days: ('mon' | 'tue')[];",
    '}',
    '',
  ]);
});
