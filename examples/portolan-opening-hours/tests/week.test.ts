import { describe, expect, it } from 'vitest';
import { groupDays, momentIn, stateAt, weekOf } from '../portolan_opening_hours/week.ts';

const WORK = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;
const WEEK = weekOf([
  { days: ['fri'], opens: '14:00', closes: '16:00' },
  { days: [...WORK], opens: '09:00', closes: '12:30' },
]);
const NOON = 12 * 60;

describe('whether somebody is there', () => {
  it.each([
    ['in the morning', 'mon', 9 * 60, [], { open: true, until: NOON + 30 }],
    ['a minute before', 'mon', 9 * 60 - 1, [], { open: false, next: { day: 'mon', at: 9 * 60, in: 0 } }],
    ['when it has just closed', 'thu', NOON + 30, [], { open: false, next: { day: 'fri', at: 9 * 60, in: 1 } }],
    ['between two spans of a day', 'fri', 13 * 60, [], { open: false, next: { day: 'fri', at: 14 * 60, in: 0 } }],
    ['after the last of the week', 'fri', 17 * 60, [], { open: false, next: { day: 'mon', at: 9 * 60, in: 3 } }],
    ['on a day nobody is there', 'mon', 10 * 60, ['2026-01-05'], { open: false, next: { day: 'tue', at: 540, in: 1 } }],
  ] as const)('%s', (_, day, minute, closedOn, state) => {
    expect(stateAt(WEEK, closedOn, { date: '2026-01-05', day, minute })).toEqual(state);
  });

  it('never, where there are no hours', () => {
    const now = { date: '2026-01-05', day: 'mon', minute: 0 } as const;
    expect(stateAt(weekOf([]), [], now)).toEqual({ open: false, next: null });
  });
});

it('puts days together that have the same hours, in the order of the country’s week', () => {
  const days = (first: 'mon' | 'sat') => groupDays(WEEK, first).map((group) => group.days.join());
  expect(days('mon')).toEqual(['mon,tue,wed,thu', 'fri', 'sat,sun']);
  expect(days('sat')).toEqual(['sat,sun', 'mon,tue,wed,thu', 'fri']);
});

it('knows the time where the hours hold', () => {
  const now = new Date('2026-07-05T22:30:00Z');
  expect(momentIn('Asia/Dubai', now)).toEqual({ date: '2026-07-06', day: 'mon', minute: 150 });
  expect(momentIn('America/Chicago', now)).toEqual({ date: '2026-07-05', day: 'sun', minute: 17 * 60 + 30 });
});
