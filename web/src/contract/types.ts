/** Names for the generated types. Written by hand: the rest of this folder follows `contract/openapi.json`. */
import type { Block } from './openapi.d.ts';

export type {
  Alternate,
  AnchorLink,
  ArticleFacts,
  ArticleViews,
  ArticleViewsList,
  Block,
  BlueprintFacts,
  CaptchaSettings,
  CaseStudyFacts,
  Certificate,
  CertificateList,
  ConsentChoice,
  Cv,
  CvList,
  DeferredScript,
  EmailVerdict,
  Event as EventItem,
  EventFacts,
  EventList,
  FacetValue,
  FooterGroup,
  FormDefinition,
  FormStep,
  FullProjectCard,
  FullProjectCardList,
  Head,
  IslandData,
  LeadReceipt,
  Link,
  MenuItem,
  NewsItem,
  NewsList,
  NewsPagination,
  Office,
  OfficeList,
  PageContent,
  PageData,
  PageReference,
  PageReferenceList,
  Phone,
  PhoneList,
  Picture,
  PictureVariant,
  Problem,
  ProjectCard,
  ProjectCardList,
  ProjectGallery,
  ProjectGalleryList,
  ProjectPlace,
  ProjectPlaceList,
  RateCard,
  RedirectList,
  Review,
  ReviewList,
  RuntimeRules,
  SharedData,
  SiteSettings,
  SocialLink,
  TestimonialPagination,
  Video,
  VideoList,
  VisitorRules,
} from './openapi.d.ts';

export type BlockType = Block['type'];

/** The data of one type of block, which are its component's props. */
export type BlockOf<T extends BlockType> = Extract<Block, { type: T }>;

export type FacetName = import('./openapi.d.ts').FacetValue['facet'];
export type HeaderKind = import('./openapi.d.ts').PageContent['header'];
/** A layout's data about its page except the blocks. */
export type PageFacts = NonNullable<import('./openapi.d.ts').PageContent['facts']>;
export type FormField = import('./openapi.d.ts').FormStep['fields'][number];
export type FormName = import('./openapi.d.ts').FormDefinition['form'];
export type CaptchaProvider = import('./openapi.d.ts').SharedData['captcha'];
export type Tone = Block['tone'];
export type Dir = 'ltr' | 'rtl';
