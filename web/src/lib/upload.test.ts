import '../testing/dom.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { upload } from './upload.ts';

class FakeRequest {
  static last: FakeRequest;
  readonly sent: unknown[] = [];
  status = 0;
  responseText = '';
  upload: { onprogress?: (event: object) => void } = {};
  onload = () => {};
  onerror = () => {};
  onabort = () => {};
  onloadend = () => {};
  constructor() {
    FakeRequest.last = this;
  }
  open(...given: unknown[]) {
    this.sent.push(given);
  }
  setRequestHeader(...given: unknown[]) {
    this.sent.push(given);
  }
  send(body: unknown) {
    this.sent.push(body);
  }
  abort() {
    this.onabort();
  }
}

beforeEach(() => vi.stubGlobal('XMLHttpRequest', FakeRequest));

const body = new FormData();

function begin(signal?: AbortSignal) {
  const parts: number[] = [];
  const reply = upload('/x', { headers: [['A', 'b']], body, onProgress: (part) => parts.push(part), signal });
  return { reply, parts, request: FakeRequest.last };
}

describe('an upload', () => {
  it('sends a post and gives the answer, whatever it is', async () => {
    const { reply, request } = begin();
    expect(request.sent).toEqual([['POST', '/x'], ['A', 'b'], body]);
    Object.assign(request, { status: 422, responseText: '{}' }).onload();
    expect([(await reply).status, await (await reply).text()]).toEqual([422, '{}']);
  });

  it('tells how far it is, where that is known', () => {
    const { parts, request } = begin();
    request.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 4 });
    request.upload.onprogress?.({ lengthComputable: false, loaded: 2, total: 0 });
    expect(parts).toEqual([0.25]);
  });

  it('fails as fetch does where nothing comes back', async () => {
    const { reply, request } = begin();
    request.onerror();
    await expect(reply).rejects.toThrow(TypeError);
  });

  it('can be given up', async () => {
    const call = new AbortController();
    const { reply } = begin(call.signal);
    call.abort(new Error('enough'));
    await expect(reply).rejects.toThrow('enough');
    await expect(begin(call.signal).reply).rejects.toThrow('enough');
  });
});
