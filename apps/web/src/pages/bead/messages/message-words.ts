import type { MeView } from '@beadloom/core/api/people/people-api.ts'
import { shown } from '../../../ui/text/hostile-text.ts'

type Me = Pick<MeView, 'name' | 'by' | 'people'>

/** Who said it. Where nobody signs in but with the access token, its holder is the person at the page. */
export function speakerText(by: string, me: Me | undefined): string {
  if (by === '') return me?.by === 'token' && !me.people ? 'You' : 'Somebody with the access token'
  return me !== undefined && me.by !== 'token' && me.name === by ? 'You' : shown(by)
}

const MOST_CHARACTERS = 600
const MOST_LINES = 6

/** Whether a text is shown in short at first. */
export const isLong = (text: string): boolean => text.length > MOST_CHARACTERS || text.split('\n').length > MOST_LINES
