import { expect } from 'vitest'
import type { OutputPiece, OutputReceiver } from '../output-receiver.ts'

/** A server's record of an output: it outlives the server. */
export class OutputRecord {
  readonly pieces: Uint8Array[] = []
  readonly gaps: [number, number][] = []
  at = 0
  hasEnded = false

  write(piece: OutputPiece): void {
    expect(piece.from).toBe(this.at)
    if (piece.type === 'gap') {
      this.gaps.push([piece.from, piece.to])
      this.at = piece.to
      return
    }
    this.pieces.push(piece.bytes.slice())
    this.at += piece.bytes.length
  }

  follow(receiver: OutputReceiver, acknowledge = () => true): void {
    receiver.events = {
      readable: () => {
        for (let piece = receiver.read(); piece; piece = receiver.read()) this.write(piece)
        if (acknowledge()) receiver.acknowledge(this.at)
      },
      closed: (why) => (this.hasEnded ||= why === null),
    }
  }
}
