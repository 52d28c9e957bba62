import type { AnchorHTMLAttributes, ReactNode } from 'react';
import type { Link as LinkData } from '../../contract/types.ts';
import { useRendering } from '../../rendering/context.ts';
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx';

interface LinkProps extends Pick<AnchorHTMLAttributes<HTMLAnchorElement>, 'className' | 'aria-label' | 'aria-current'> {
  to: LinkData;
  /** In place of the link's own title. */
  children?: ReactNode;
}

/** A link of the content. It marks links to other sites, with the language if it is another site of ours. */
export function Link({ to, children, ...rest }: LinkProps) {
  const away = to.external ? ({ target: '_blank', rel: 'nofollow noopener' } as const) : {};
  return (
    <a href={to.href} hrefLang={to.hreflang ?? undefined} {...away} {...rest}>
      {children ?? to.title}
      {to.external && <NewTab />}
    </a>
  );
}

function NewTab() {
  const { t } = useRendering();
  return <VisuallyHidden> ({t('opensInNewTab')})</VisuallyHidden>;
}
