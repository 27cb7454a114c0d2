import type { KeyboardEvent } from 'react'

/**
 * The key that was pressed in a text field. It is '' while an input method composes: then Enter takes a suggestion and
 * Escape drops it. Safari sends that Enter after the composition, but still with the code 229.
 */
export const typedKey = ({ key, nativeEvent: { isComposing, keyCode } }: KeyboardEvent): string =>
  isComposing || keyCode === 229 ? '' : key
