/**
 * Invisible characters that move, cut up or hide the text around them: marks of direction, zero widths, fillers, soft
 * hyphens, and the tags that can smuggle a whole sentence past a reader to a model. Joiners stay inside of emoji and
 * scripts; after an English letter they join nothing.
 */
export const HIDDEN_MARKS =
  /(?!\u200c|\u200d|\p{Mn})\p{Default_Ignorable_Code_Point}|\u034f|[\u{e0100}-\u{e01ef}]|(?<=[\x21-\x7e])(?:\u200c|\u200d)|[\ufff9-\ufffb]/gu
