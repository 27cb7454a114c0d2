import type { Duplex } from 'node:stream'

/**
 * Gives Node's HTTP what comes on a connection in small pieces. By itself Node takes all that has come, up to 64 KiB, and
 * begins with every request in it before anybody can cut the connection off: two thousand, of a few kilobytes of memory
 * each, and a quarter of a second in which nobody else is served.
 *
 * @param connection one that Node's server has taken, so that it listens already
 * @param bytes of the next piece; `Infinity` for whoever may have all at once
 * @returns lets the connection go, before it becomes something else than HTTP
 */
export function readInSlices(connection: Duplex, bytes: () => number): () => void {
  const [parse] = connection.listeners('data') as ((bytes: Buffer) => void)[]
  if (!parse) return () => {}
  let rest: Buffer | null = null
  const take = (come: Buffer): void => {
    rest = come
    while (rest !== null && !connection.destroyed) {
      const piece: Buffer = rest.subarray(0, bytes())
      rest = piece.length < rest.length ? rest.subarray(piece.length) : null
      parse.call(connection, piece)
    }
    rest = null
  }
  connection.removeListener('data', parse)
  connection.on('data', take)
  return () => {
    connection.removeListener('data', take)
    if (rest !== null) connection.unshift(rest)
    rest = null
  }
}
