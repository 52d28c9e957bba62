/** Room for the text of several pages as UTF-8, without a buffer of its own for each. */
const ROOM_BYTES = 4 << 20;
/** A UTF-16 unit takes at most three bytes. */
const UTF8_BYTES_AT_MOST = 3;

export class Arena {
  private room = Buffer.allocUnsafeSlow(ROOM_BYTES);
  private end = 0;

  /**
   * UTF-8 of the pieces, of which some may be it already. Each is written as it is: joined, they would be encoded twice over,
   * and slower. The bytes are the caller's until `reuse`.
   */
  encode(pieces: readonly (string | Buffer)[]): Buffer {
    const longest = pieces.reduce((sum, piece) => sum + piece.length * UTF8_BYTES_AT_MOST, 0);
    if (this.end + longest > this.room.length) {
      this.room = Buffer.allocUnsafeSlow(Math.max(ROOM_BYTES, longest));
      this.end = 0;
    }
    const start = this.end;
    for (const piece of pieces) this.end += this.put(piece);
    return this.room.subarray(start, this.end);
  }

  private put(piece: string | Buffer): number {
    return typeof piece === 'string' ? this.room.write(piece, this.end) : piece.copy(this.room, this.end);
  }

  reuse(): void {
    this.end = 0;
  }
}
