/* Written by `portolan build` from the plugin’s schemas in Python. Not to be edited. */
import type { Picture } from 'portolan/contract/openapi.d.ts';

/**
 * Fields of `BranchPage` that the layout shows with the page's title and blocks. The names are the same.
 */
export interface BranchFields {
  summary: string;
  /**
   * In lines.
   */
  address: string;
  phone: string;
  email: string;
  /**
   * Address of a map, or empty.
   */
  directions: string;
  picture: Picture | null;
  hours: Hours[];
  closedOn: ClosedDay[];
  timeZone: string;
}
export interface Hours {
  days: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
  opens: string;
  /**
   * Later than it opens: what goes on past midnight is two rows.
   */
  closes: string;
}
export interface ClosedDay {
  date: string;
  note: string;
}
export interface OpeningHoursData {
  /**
   * The permanent ID of the block from the editor's stream.
   */
  id: string;
  /**
   * Background of the section: deep navy, near-black ink or paper white.
   */
  tone: 'navy' | 'ink' | 'paper';
  /**
   * ID of the section in the page, for links to it (`/about-us#offices`).
   */
  anchor: string | null;
  type: 'opening_hours';
  title: string;
  text: string;
  hours: Hours[];
  closedOn: ClosedDay[];
  /**
   * Where the hours hold, as the IANA names it.
   */
  timeZone: string;
}
