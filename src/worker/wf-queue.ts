/** A queue of yours, that brings what is sent to it to whoever goes on with runs. */
export interface WfQueue {
  /**
   * Says that a run has to go on. At least once is enough, in any order, and a message that is lost is sent
   * again: whoever takes it calls {@link WfRuns.execute}, and sends it again while that is not `done`.
   */
  send(flowId: string): unknown
}
