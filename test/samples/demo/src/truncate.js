/**
 * Text that has to fit.
 */

const ellipsis = '…'

/** Shortens `text` to at most `width` characters; what was cut ends with "…". */
export function truncate(text, width) {
  if (!Number.isInteger(width) || width < 1) throw new RangeError(`not a width: ${width}`)
  if (text.length <= width) return text
  return text.slice(0, width - 1) + ellipsis
}
