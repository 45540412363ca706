// Which of the protocol's own types everything that the server says has to be of, by method.
import * as lsp from 'vscode-languageserver-protocol';

type ResultOf<Type> = Type extends lsp.ProtocolRequestType<any, infer Result, any, any, any> ? Result : never;
type ParamsOf<Type> = Type extends lsp.ProtocolNotificationType<infer Params, any>
  ? Params
  : Type extends lsp.ProtocolRequestType<infer Params, any, any, any, any>
    ? Params
    : never;

type Answer<Result> = Omit<lsp.ResponseMessage, 'result' | 'error'> & { result: Result };
type Notice<Params> = Omit<lsp.NotificationMessage, 'params'> & { params: Params };
type Question<Params> = Omit<lsp.RequestMessage, 'params'> & { params: Params };

export interface Answers {
  initialize: Answer<lsp.InitializeResult>;
  shutdown: Answer<null>;
  'textDocument/codeLens': Answer<ResultOf<typeof lsp.CodeLensRequest.type>>;
  'textDocument/hover': Answer<ResultOf<typeof lsp.HoverRequest.type>>;
  'textDocument/inlayHint': Answer<ResultOf<typeof lsp.InlayHintRequest.type>>;
  'textDocument/codeAction': Answer<ResultOf<typeof lsp.CodeActionRequest.type>>;
  'textDocument/completion': Answer<ResultOf<typeof lsp.CompletionRequest.type>>;
  'textDocument/documentSymbol': Answer<ResultOf<typeof lsp.DocumentSymbolRequest.type>>;
  'textDocument/foldingRange': Answer<ResultOf<typeof lsp.FoldingRangeRequest.type>>;
  'workspace/executeCommand': Answer<ResultOf<typeof lsp.ExecuteCommandRequest.type>>;
}

export interface Told {
  'textDocument/publishDiagnostics': Notice<ParamsOf<typeof lsp.PublishDiagnosticsNotification.type>>;
  'window/showMessage': Notice<ParamsOf<typeof lsp.ShowMessageNotification.type>>;
  '$/progress': Notice<{
    token: lsp.ProgressToken;
    value: lsp.WorkDoneProgressBegin | lsp.WorkDoneProgressReport | lsp.WorkDoneProgressEnd;
  }>;
  'window/workDoneProgress/create': Question<ParamsOf<typeof lsp.WorkDoneProgressCreateRequest.type>>;
  'workspace/codeLens/refresh': Omit<lsp.RequestMessage, 'params'>;
}

export type Refusal = Required<Omit<lsp.ResponseMessage, 'result'>>;
