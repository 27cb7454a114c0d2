/** Whether the pane stays at the end. Paused, it never moves by itself, and counts what it missed. */
export type Follow = { is: 'following' } | { is: 'paused'; seen: number }

export type FollowEvent =
  /** A person moved: wheel, keys, thumb. `atEnd`: the last line is visible now. */
  | { type: 'moved'; up: boolean; atEnd: boolean }
  /** Something stops the view from following: a selection, a permalink, a match. */
  | { type: 'held' }
  /** End, `G`, or the pill. */
  | { type: 'to-end' }

/** `lines` is the current length of the log. */
export function nextFollow(follow: Follow, event: FollowEvent, lines: number): Follow {
  switch (event.type) {
    case 'to-end':
      return { is: 'following' }
    case 'held':
      return follow.is === 'paused' ? follow : { is: 'paused', seen: lines }
    case 'moved':
      if (event.atEnd && !event.up) return { is: 'following' }
      if (event.up && follow.is === 'following' && !event.atEnd) return { is: 'paused', seen: lines }
      return follow
  }
}

export const unseenLines = (follow: Follow, lines: number): number =>
  follow.is === 'paused' ? Math.max(0, lines - follow.seen) : 0
