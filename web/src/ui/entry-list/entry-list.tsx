import styles from './entry-list.module.css';

/** Entries in rows of up to three, each under a line: its first heading, and small details of the class `entryDetails`. */
export const entryList = styles.list;
export const entryDetails = styles.details;
