/** Names for the generated types. Written by hand: the rest of this folder follows `contract/openapi.json`. */
import type { Block } from './openapi.d.ts';

export type {
  Alternate,
  Block,
  FooterGroup,
  Head,
  IslandData,
  Link,
  MenuItem,
  Office,
  PageContent,
  PageData,
  Picture,
  PictureVariant,
  SharedData,
  SiteFacts,
  SocialLink,
  SwitcherEntry,
} from './openapi.d.ts';

export type BlockType = Block['type'];

/** The data of one type of block: what its component takes as props. */
export type BlockOf<T extends BlockType> = Extract<Block, { type: T }>;

export type HeaderKind = import('./openapi.d.ts').PageContent['header'];
export type Tone = Block['tone'];
export type Dir = 'ltr' | 'rtl';
