import styles from './phone.module.css';

/** A phone number: read from left to right on every site, dialled by its digits. */
export function Phone({ number }: { number: string }) {
  return (
    <a className={styles.phone} href={`tel:${number.replace(/[^+\d]/g, '')}`} data-phone="">
      <bdi dir="ltr">{number}</bdi>
    </a>
  );
}
