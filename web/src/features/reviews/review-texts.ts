/** By score: what is printed, e.g. `4.5 out of 5`. */
export type ScoreTexts = Readonly<Record<string, string>>;

/** What stands behind a person's name. */
export function sayRole(role: string): string {
  return role && `\u00a0· ${role}`;
}
