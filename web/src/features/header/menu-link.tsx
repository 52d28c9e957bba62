import type { Link as LinkData } from '../../contract/types.ts';
import { Link } from '../../ui/link/link.tsx';

interface MenuLinkProps {
  to: LinkData;
  current: string;
  title: string;
  description?: string;
}

export function MenuLink({ to, current, title, description }: MenuLinkProps) {
  return (
    <Link to={to} aria-current={to.href === current ? 'page' : undefined}>
      {description ? (
        <>
          <b>{title}</b> {description}
        </>
      ) : (
        title
      )}
    </Link>
  );
}
