import { panelIn, type WfPanel, type WfPause } from '../state'

/** The people whom a pause still asks. */
export function askedPanelOf(pause: WfPause | undefined): WfPanel | undefined {
  const panel = panelIn(pause)
  return panel?.isOver ? undefined : panel
}
