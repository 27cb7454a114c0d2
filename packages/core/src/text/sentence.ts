/** "merged" becomes "Merged". */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Makes a sentence of somebody else's words: with a capital letter and a full stop. */
export const asSentence = (text: string): string =>
  text === '' ? '' : capital(text).replace(/[.!?]?$/, (end) => end || '.')
