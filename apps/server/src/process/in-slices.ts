import type { Duplex } from 'node:stream'

/**
 * Hands a connection's bytes to Node's HTTP in small pieces. By itself Node takes everything that has come, up to 64
 * KiB, and begins with every request in it before anybody can cut the connection off: two thousand, each with a few
 * kilobytes of memory, and a quarter of a second in which the server answers nobody else.
 *
 * @param connection a connection that Node's server has taken and already listens to
 * @param bytes the size of the next piece; `Infinity` for everything at once
 * @returns lets the connection go, before it is used for something other than HTTP
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
