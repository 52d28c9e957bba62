import { describe, expect, it, vi } from 'vitest';
import { ApiError } from './api-call.ts';
import { sendLead, sendPartial } from './send-lead.ts';
import { submitForm } from './submit-form.ts';

vi.mock(import('./submit-form.ts'), () => ({ submitForm: vi.fn() }));

const REUSED = new ApiError(422, '{"code":"idempotency-key-reused"}');
const submit = vi.mocked(submitForm);

function keysAfter(...answers: (Error | null)[]): Promise<unknown[]> {
  submit.mockReset();
  for (const answer of answers) {
    if (answer) submit.mockRejectedValueOnce(answer);
    else submit.mockResolvedValueOnce({ id: '1', status: 'received' });
  }
  return sendLead({ message: 'b' }, 'k').then(
    () => submit.mock.calls.map(([, options]) => options?.idempotencyKey),
    (error: unknown) => [error, ...submit.mock.calls.map(([, options]) => options?.idempotencyKey)],
  );
}

describe('a form', () => {
  it('is sent under its key', async () => {
    expect(await keysAfter(null)).toEqual(['k']);
  });

  it('that was changed after it had arrived is another version', async () => {
    expect(await keysAfter(REUSED, null)).toEqual(['k', 'k.2']);
    expect(await keysAfter(REUSED, REUSED, null)).toEqual(['k', 'k.2', 'k.3']);
  });

  it('that is refused, or does not arrive, is not sent again', async () => {
    const refused = new ApiError(422, '{"code":"invalid-value"}');
    expect(await keysAfter(refused)).toEqual([refused, 'k']);
    const offline = new TypeError('no network');
    expect(await keysAfter(offline)).toEqual([offline, 'k']);
  });
});

it('that is left is sent as a partial submission, without files, by what outlives the page', () => {
  submit.mockReset();
  submit.mockRejectedValueOnce(new TypeError('no network'));
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  sendPartial({ message: 'b', attachments: [new File(['a'], 'a.txt')] }, 'k');
  const sent = { message: 'b', begun: true, attachments: null };
  expect(submit.mock.calls).toEqual([[sent, { idempotencyKey: 'k', isLeaving: true }]]);
});
