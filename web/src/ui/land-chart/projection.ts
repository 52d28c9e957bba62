/** Where a place stands on the land chart: Mercator, where a line of constant bearing is straight. */

/** The part of the world that is drawn, as `land.svg` has it: units from 132°W and 66°N, four to a degree of longitude. */
export const CHART = { west: -132, north: 66, width: 1016, height: 403, unitsPerDegree: 4 };

export interface Point {
  x: number;
  y: number;
}

export function projectPlace({ lat, lng }: { lat: number; lng: number }): Point {
  const { west, north, unitsPerDegree } = CHART;
  return {
    x: Math.round((lng - west) * unitsPerDegree),
    y: Math.round((mercator(north) - mercator(lat)) * unitsPerDegree),
  };
}

export function isOnChart({ x, y }: Point): boolean {
  return x >= 0 && x <= CHART.width && y >= 0 && y <= CHART.height;
}

function mercator(lat: number): number {
  return (Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * 180) / Math.PI;
}
