import { describe, expect, it } from 'vitest';
import { EMPTY_QUEUE, enqueue, isRobot, type PrefetchQueue, takeBatch, withdraw } from './prefetch-queue.ts';

const queueOf = (...paths: string[]): PrefetchQueue => paths.reduce(enqueue, EMPTY_QUEUE);

describe('the queue of pages', () => {
  it('takes four at a time, in their order', () => {
    const [first, rest] = takeBatch(queueOf('/1', '/2', '/3', '/4', '/5', '/6'));
    const [second, nothing] = takeBatch(rest);
    expect([first, second, takeBatch(nothing)[0]]).toEqual([['/1', '/2', '/3', '/4'], ['/5', '/6'], []]);
  });

  it('takes a page once', () => {
    expect(queueOf('/1', '/2', '/1').waiting).toEqual(['/1', '/2']);
    const [, rest] = takeBatch(queueOf('/1'));
    expect(enqueue(rest, '/1').waiting).toEqual([]);
  });

  it('lets go of what is out of sight and has not begun', () => {
    expect(withdraw(queueOf('/1', '/2'), '/1').waiting).toEqual(['/2']);
    const [, rest] = takeBatch(queueOf('/1'));
    expect(withdraw(rest, '/1').started).toEqual(['/1']);
  });

  it('takes back what comes into sight again', () => {
    expect(enqueue(withdraw(queueOf('/1', '/2'), '/1'), '/1').waiting).toEqual(['/2', '/1']);
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
