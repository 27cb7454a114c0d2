/** A letter, digit, mark of punctuation or symbol that a person sees: fillers and the empty Braille cell are none. */
const SEEN = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u

/** Whether a person sees anything of a text: blanks, control characters and hidden marks alone are nothing. */
export const isVisible = (text: string): boolean => SEEN.test(text)
