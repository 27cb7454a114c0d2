/**
 * Sizes in bytes, for people.
 */

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

/** 812 → "812 B", 1572864 → "1.5 MiB". */
export function formatBytes(bytes) {
  if (!Number.isFinite(bytes) || bytes < 0) throw new RangeError(`not a size: ${bytes}`)
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  const text = unit === 0 || value >= 100 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '')
  return `${text} ${units[unit]}`
}
