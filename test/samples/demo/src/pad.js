/**
 * Text of a given width.
 */

/** Fills `text` up with spaces to `width`; longer text stays as it is. `align` is "left" or "right". */
export function pad(text, width, align = 'left') {
  if (align !== 'left' && align !== 'right') throw new TypeError(`align is "left" or "right", not "${align}"`)
  return align === 'left' ? text.padEnd(width) : text.padStart(width)
}
