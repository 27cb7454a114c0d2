import { countText } from '../../../ui/time-text.ts'

export const filesText = (count: number): string => `${countText(count)} ${count === 1 ? 'file' : 'files'}`
