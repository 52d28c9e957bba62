import type { ComponentType } from 'react';
import type { BlockOf, BlockType } from '../contract/types.ts';
import { Awards } from './awards/awards.tsx';
import { CallToAction } from './call-to-action/call-to-action.tsx';
import { Cards } from './cards/cards.tsx';
import { Certificates } from './certificates/certificates.tsx';
import { Code } from './code/code.tsx';
import { Comparison } from './comparison/comparison.tsx';
import { ContactForm } from './contact-form/contact-form.tsx';
import { Diagram } from './diagram/diagram.tsx';
import { Download } from './download/download.tsx';
import { Estimate } from './estimate/estimate.tsx';
import { EstimateTeaser } from './estimate-teaser/estimate-teaser.tsx';
import { EventListBlock } from './event-list/event-list.tsx';
import { EventTeasers } from './event-teasers/event-teasers.tsx';
import { Faq } from './faq/faq.tsx';
import { Gallery } from './gallery/gallery.tsx';
import { Hero } from './hero/hero.tsx';
import { ImageText } from './image-text/image-text.tsx';
import { Logos } from './logos/logos.tsx';
import { Marquee } from './marquee/marquee.tsx';
import { NewsListBlock } from './news-list/news-list.tsx';
import { NewsTeasers } from './news-teasers/news-teasers.tsx';
import { Offices } from './offices/offices.tsx';
import { ProjectListBlock } from './project-list/project-list.tsx';
import { ProjectMapBlock } from './project-map/project-map.tsx';
import { ProjectTeasers } from './project-teasers/project-teasers.tsx';
import { Quote } from './quote/quote.tsx';
import { RichTextBlock } from './rich-text/rich-text.tsx';
import { Stats } from './stats/stats.tsx';
import { Steps } from './steps/steps.tsx';
import { Tabs } from './tabs/tabs.tsx';
import { Team } from './team/team.tsx';
import { TechStack } from './tech-stack/tech-stack.tsx';
import { Testimonials } from './testimonials/testimonials.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { Videos } from './videos/videos.tsx';

/** Components of plugins, which `portolan build` puts here: a file for each block, named by its type. */
const OF_PLUGINS = import.meta.glob<unknown>('./plugins/*/**/*.block.tsx', {
  eager: true,
  import: 'default',
});

/** Every type of block of ours and the component that draws it. TypeScript says which one is missing. */
const OWN: { [T in BlockType]: ComponentType<BlockOf<T>> } = {
  hero: Hero,
  rich_text: RichTextBlock,
  image_text: ImageText,
  stats: Stats,
  cards: Cards,
  steps: Steps,
  comparison: Comparison,
  timeline: Timeline,
  code: Code,
  diagram: Diagram,
  logos: Logos,
  quote: Quote,
  tech_stack: TechStack,
  awards: Awards,
  faq: Faq,
  call_to_action: CallToAction,
  offices: Offices,
  project_list: ProjectListBlock,
  news_list: NewsListBlock,
  testimonials: Testimonials,
  event_list: EventListBlock,
  project_teasers: ProjectTeasers,
  news_teasers: NewsTeasers,
  event_teasers: EventTeasers,
  project_map: ProjectMapBlock,
  videos: Videos,
  certificates: Certificates,
  team: Team,
  contact_form: ContactForm,
  estimate: Estimate,
  gallery: Gallery,
  tabs: Tabs,
  marquee: Marquee,
  download: Download,
  estimate_teaser: EstimateTeaser,
};

/** Also those of plugins, whose types the contract does not know: components all of them. */
export const BLOCKS: Record<string, unknown> = {
  ...OWN,
  ...Object.fromEntries(
    Object.entries(OF_PLUGINS).map(([path, component]) => [path.replace(/^.*\/|\.block\.tsx$/g, ''), component]),
  ),
};
