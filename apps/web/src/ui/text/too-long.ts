import { countText, counted } from '@beadloom/core/text/count-text.ts'

/** "12 characters too long: 20,000 is the most"; null: it is not. A field that cuts what is pasted loses it unseen. */
export const tooLong = (text: string, most: number): string | null =>
  text.length <= most ? null : `${counted(text.length - most, 'character')} too long: ${countText(most)} is the most`
