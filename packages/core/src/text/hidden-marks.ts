/**
 * Characters that nobody sees and that move, cut up or hide the text around them: marks of direction, zero widths, fillers,
 * soft hyphens, and the tags in which a whole sentence can be smuggled past a reader to a model. What emoji and scripts
 * are joined with stays where it joins them; after a letter of English it joins nothing.
 */
export const HIDDEN_MARKS =
  /(?!\u200c|\u200d|\p{Mn})\p{Default_Ignorable_Code_Point}|\u034f|[\u{e0100}-\u{e01ef}]|(?<=[\x21-\x7e])(?:\u200c|\u200d)|[\ufff9-\ufffb]/gu
