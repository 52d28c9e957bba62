/** Printed texts by score, e.g. `4.5 out of 5`. */
export type ScoreTexts = Readonly<Record<string, string>>;

/** The text after a person's name. */
export function sayRole(role: string): string {
  return role && `\u00a0· ${role}`;
}
