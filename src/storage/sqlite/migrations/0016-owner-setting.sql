-- What the file of the workflow said about the owner of the documents, so that a change of the file is noticed.
ALTER TABLE workspace ADD COLUMN owner_setting TEXT;
UPDATE workspace SET owner_setting = document_owner WHERE document_owner IS NOT 'system';
