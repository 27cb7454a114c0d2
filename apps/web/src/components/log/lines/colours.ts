import { RGB } from '@beadloom/core/text/sgr.ts'
import type { Colour } from '@beadloom/core/text/sgr.ts'

/** Colours of programs are adjusted until they are readable; white on white is a way to hide text. */
export const MIN_CONTRAST = 4.5

export type Theme = { background: number; dark: boolean }
export const lightLog: Theme = { background: 0xfbfbfc, dark: false }
export const darkLog: Theme = { background: 0x0b0d10, dark: true }

const channels = (rgb: number): [number, number, number] => [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255]
const linear = (channel: number): number => {
  const c = channel / 255
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
}
const luminance = (rgb: number): number => {
  const [r, g, b] = channels(rgb).map(linear) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** WCAG contrast of two colours, 1 to 21. */
export function contrast(a: number, b: number): number {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** The closest colour, towards black or white, that is readable on the background. */
export function readable(rgb: number, { background, dark }: Theme): number {
  const goal = dark ? 255 : 0
  let colour = rgb
  for (let step = 0; step < 20 && contrast(colour, background) < MIN_CONTRAST; step++) {
    const [r, g, b] = channels(colour).map((c) => Math.round(c + (goal - c) * 0.15)) as [number, number, number]
    colour = (r << 16) | (g << 8) | b
  }
  return contrast(colour, background) < MIN_CONTRAST ? (dark ? 0xffffff : 0) : colour
}

const cube = [0, 95, 135, 175, 215, 255]

/** The fixed part of the 256 colours: a 6×6×6 cube and 24 greys. */
export function fixedColour(index: number): number {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10
    return (grey << 16) | (grey << 8) | grey
  }
  const n = index - 16
  const [r, g, b] = [cube[Math.floor(n / 36)], cube[Math.floor(n / 6) % 6], cube[n % 6]]
  return ((r ?? 0) << 16) | ((g ?? 0) << 8) | (b ?? 0)
}

const hex = (rgb: number): string => `#${rgb.toString(16).padStart(6, '0')}`
const cache = new Map<string, string>()

/** A program's colour as CSS. The first sixteen are the theme's own, and known to be readable. */
export function foreground(colour: Colour, theme: Theme): string {
  if (colour < 16) return `var(--ansi-${colour})`
  const key = `${colour} ${theme.background}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const css = hex(readable(colour & RGB ? colour & 0xffffff : fixedColour(colour), theme))
  if (cache.size > 4096) cache.clear() // reached by a gradient through all of true colour
  cache.set(key, css)
  return css
}

/** Backgrounds keep their hue at a quarter of its strength, so that text on them is readable. */
export function background(colour: Colour): string {
  const full = colour < 16 ? `var(--ansi-${colour})` : hex(colour & RGB ? colour & 0xffffff : fixedColour(colour))
  return `color-mix(in srgb, ${full} 25%, var(--log))`
}
