import '../../testing/dom.ts';
import { expect, it } from 'vitest';
import { run as orderReviews } from './order-reviews.part.ts';

const LIST =
  '<ul><li data-review-country="gb">a</li><li data-review-country="gb" data-yields-to="ae az">b</li>' +
  '<li data-review-country="ae" hidden>c</li><li data-review-country="az" hidden>d</li></ul>';

it.each([
  ['', 'ab'],
  ['pl', 'ab'],
  ['gb', 'ab'],
  ['ae', 'ca'],
  ['az', 'da'],
])('for the country “%s” the list is %s, once for all', async (country, order) => {
  document.documentElement.dataset['country'] = country;
  document.body.innerHTML = LIST;
  const [list] = document.getElementsByTagName('ul');
  if (!list) throw new Error('there is a list');
  await orderReviews(list);
  await orderReviews(list);
  expect(list.textContent).toBe(order);
  expect(list.querySelector('[hidden]')).toBeNull();
});
