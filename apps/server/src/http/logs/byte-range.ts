export type BytePart = { offset: number; length: number }

/**
 * One part of `size` bytes from a Range header. Null, and so the whole, for everything that a server may ignore: no
 * header, another unit, several ranges, nonsense.
 */
export function parseRange(header: string | undefined, size: number): BytePart | 'unsatisfiable' | null {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (!found) return null
  const [, from = '', to = ''] = found
  if (from === '') {
    if (to === '') return null
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length }
  }
  const offset = Number(from)
  if (to !== '' && Number(to) < offset) return null
  if (offset >= size) return 'unsatisfiable'
  const end = to === '' ? size : Math.min(Number(to) + 1, size)
  return { offset, length: end - offset }
}
