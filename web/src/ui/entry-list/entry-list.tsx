import styles from './entry-list.module.css';

/** Entries in rows of up to three, each under a line: its first heading, and small facts of the class `entryFacts`. */
export const entryList = styles.list;
export const entryFacts = styles.facts;
