/** The one script a page runs before it is used. */
import { startIslands } from '../runtime/islands.ts';
import { ISLANDS } from './islands.ts';

startIslands(ISLANDS);
