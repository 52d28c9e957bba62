import { whenLoaded } from '../loaded.ts';

/** Videos are mounted from load on (spec §4): `html[data-show-video]` says so to styles, tests and tags. */
export function showVideos(): void {
  whenLoaded(() => document.documentElement.toggleAttribute('data-show-video', true));
}
