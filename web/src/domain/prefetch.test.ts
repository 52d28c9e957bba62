import { describe, expect, it } from 'vitest';
import { isRobot, nextBatch } from './prefetch.ts';

describe('the pages to load ahead', () => {
  it.each([
    ['four at a time, in their order', ['/1', '/2', '/3', '/4', '/5', '/6'], [], ['/1', '/2', '/3', '/4']],
    ['the rest after them', ['/1', '/2', '/3', '/4', '/5', '/6'], ['/1', '/2', '/3', '/4'], ['/5', '/6']],
    ['one that two links lead to once', ['/1', '/2', '/1'], [], ['/1', '/2']],
    ['none twice', ['/1'], ['/1'], []],
    ['nothing where nothing is in sight', [], ['/1'], []],
  ])('are %s', (_, inSight, started, expected) => {
    expect(nextBatch(inSight, new Set(started))).toEqual(expected);
  });
});

const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36';

describe('a robot', () => {
  it.each([
    [PERSON, false],
    [`${PERSON} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`, true],
    ['ExampleCrawler/1.0', true],
    ['Baiduspider', true],
    ['site crawling tool', true],
  ])('is not everybody: %s', (userAgent, expected) => {
    expect(isRobot(userAgent)).toBe(expected);
  });
});
