import { describe, expect, it } from 'vitest';
import { CHART } from '../../ui/land-chart/projection.ts';
import { placeHarbours } from './harbours.ts';

const london = { city: 'London', lat: 51.51, lng: -0.06 };

describe('placeHarbours', () => {
  it('puts the equator and the prime meridian where Mercator has them', () => {
    const [origin] = placeHarbours([{ city: 'Null Island', lat: 0, lng: 0 }]);
    expect(origin).toMatchObject({ x: 528, y: 355 });
  });

  it('leaves out an office beyond the edge of the chart', () => {
    expect(placeHarbours([london, { city: 'Sydney', lat: -33.87, lng: 151.21 }])).toHaveLength(1);
  });

  it('moves a name aside where another one stands', () => {
    const [first, second] = placeHarbours([london, { city: 'Ostend', lat: 51.5, lng: 2 }]);
    expect(first?.label?.anchor).toBe('end');
    expect(second?.label?.anchor).toBe('start');
  });

  it('leaves a name out rather than print it over another', () => {
    const crowd = Array.from({ length: 12 }, (_, index) => ({ ...london, city: `Office ${index}` }));
    expect(placeHarbours(crowd).filter(({ label }) => label === null).length).toBeGreaterThan(0);
  });

  it('keeps every dot within the frame', () => {
    const corners = placeHarbours([
      { city: 'a', lat: 65.9, lng: -131.9 },
      { city: 'b', lat: -11.9, lng: 121.9 },
    ]);
    for (const { x, y } of corners) {
      expect(x).toBeLessThanOrEqual(CHART.width);
      expect(y).toBeLessThanOrEqual(CHART.height);
    }
    expect(corners).toHaveLength(2);
  });
});
