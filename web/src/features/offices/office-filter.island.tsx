import { useState } from 'react';
import styles from './office-filter.module.css';
import type { OfficeFilterProps } from './office-filter-props.ts';
import { useShownCategory } from './use-shown-category.ts';

/**
 * Buttons that narrow a static list of office cards to one category; the cards themselves are not rendered by React in
 * the browser.
 */
export function OfficeFilter({ listId, label, options }: OfficeFilterProps) {
  const [category, setCategory] = useState('');
  const [changed, setChanged] = useState(false);
  useShownCategory(listId, category);

  function choose(chosen: string) {
    setCategory(chosen);
    setChanged(true);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: no field is in it, and a legend would be one heading more to see
    <div role="group" className={styles.filter} aria-label={label} aria-controls={listId}>
      {options.map((option) => (
        <button
          key={option.category}
          type="button"
          className={styles.option}
          aria-pressed={option.category === category}
          onClick={() => choose(option.category)}
        >
          {option.name}
        </button>
      ))}
      {/* There from the start, because screen readers announce only changes of existing elements. */}
      <p className={styles.count} role="status">
        {changed ? options.find((option) => option.category === category)?.shown : ''}
      </p>
    </div>
  );
}
